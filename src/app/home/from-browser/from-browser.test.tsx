// The button on Home, and browsers that cannot stream.
import { onTestFinished } from 'vitest'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const name = 'Go live from this browser'

test('says that a page without HTTPS has no camera', async ({ open, user, person }) => {
  await open(paths.home(person.projectId))
  await user.click(await button(name))
  await screen.findByText(/over HTTPS only/)
})

test('says which browsers work where this one cannot encode', async ({ open, user, person }) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'isSecureContext')
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true })
  Object.defineProperty(navigator, 'mediaDevices', { value: {}, configurable: true })
  onTestFinished(() => {
    if (before) Object.defineProperty(globalThis, 'isSecureContext', before)
    else Reflect.deleteProperty(globalThis, 'isSecureContext')
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })
  await open(paths.home(person.projectId))
  await user.click(await button(name))
  await screen.findByText(/newest Chrome, Edge or Safari/)
})

test('viewers have no button, and editors have none while an encoder sends', async ({
  open,
  person,
  service,
  another,
}) => {
  const viewer = await another('Vera')
  await service.join(viewer, person.projectId, 0)
  await open(paths.home(person.projectId), viewer)
  await screen.findByRole('heading', { name: 'Your first broadcast' })
  // Parts that load after the first view.
  await screen.findByRole('link', { name: 'First broadcast in ten minutes' })
  expect(screen.queryByRole('button', { name })).toBeNull()
  await beginBroadcast(service, person, someNodeOf(service))
  await open(paths.home(person.projectId))
  await screen.findByRole('heading', { name: 'On air' })
  await screen.findByRole('link', { name: 'Broadcast details' })
  expect(screen.queryByRole('button', { name })).toBeNull()
})
