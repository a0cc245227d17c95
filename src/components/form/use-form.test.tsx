// Tests of form state: validation, focus, refusals, unsaved input.
import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TextField } from '#src/ui/text-field.tsx'
import { type FieldTexts, type Form, useForm } from './use-form.ts'

interface Values {
  readonly name: string
  readonly page: string
}

const saved: Values = { name: 'Ada', page: '' }
const check = ({ name, page }: Values): FieldTexts<Values> => ({
  name: name === '' ? 'Name missing' : undefined,
  page: page === '' ? 'Page missing' : undefined,
})

afterEach(cleanup)

type Submit = (values: Values, form: Form<Values>) => Promise<void>

interface Props {
  readonly values: Values
  readonly mode?: 'onChange' | undefined
  readonly submit: Submit
  readonly fields?: 'name only' | undefined
}

function Page({ values, mode, submit, fields }: Props) {
  const form: Form<Values> = useForm<Values>({
    values,
    check,
    ...(mode && { mode }),
    onSubmit: (sent) => submit(sent, form),
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <TextField label="Name" {...form.field('name')} />
      {!fields && <TextField label="Page" {...form.field('page')} />}
      <button type="submit">Save</button>
      <button type="button" onClick={form.undo}>
        Undo
      </button>
      <output>{form.isDirty ? 'unsaved' : 'saved'}</output>
    </form>
  )
}

/** Renders a form of two fields. `show` renders it with other saved values. */
function open(submit: Submit, mode?: 'onChange', fields?: 'name only') {
  const page = (values: Values) => <Page values={values} mode={mode} submit={submit} fields={fields} />
  const { rerender } = render(page(saved))
  const user = userEvent.setup({ delay: null })
  return { user, show: (values: Values) => rerender(page(values)) }
}

const field = (name: string) => screen.getByLabelText(name)
const save = () => screen.getByRole('button', { name: 'Save' })

test('shows errors from the first attempt on, and focuses the first', async () => {
  const submit = vi.fn<Submit>(async () => {})
  const { user } = open(submit)
  await user.clear(field('Name'))
  expect(screen.queryByText('Name missing')).toBeNull()
  await user.click(save())
  await screen.findByText('Name missing')
  expect(field('Name')).toBeInvalid()
  expect(field('Name')).toHaveAccessibleDescription('Name missing')
  await expect.poll(() => field('Name')).toHaveFocus()
  await user.type(field('Name'), 'Eve')
  await expect.poll(() => screen.queryByText('Name missing')).toBeNull()
  expect(field('Page')).toHaveAccessibleDescription('Page missing')
  expect(submit).not.toHaveBeenCalled()
})

test('shows errors while the user types in `onChange` mode', async () => {
  const { user } = open(async () => {}, 'onChange')
  await user.clear(field('Name'))
  await screen.findByText('Name missing')
  expect(screen.queryByText('Page missing')).toBeNull()
})

test('shows a refusal beside its field with the focus, and keeps the input', async () => {
  const { user } = open(async (_, form) => form.refuse({ page: 'Taken' }))
  await user.type(field('Page'), 'mine')
  await user.click(save())
  await expect.poll(() => field('Page')).toHaveAccessibleDescription('Taken')
  expect(field('Page')).toHaveFocus()
  expect(field('Page')).toHaveValue('mine')
  await user.type(field('Page'), '2')
  await expect.poll(() => field('Page')).toBeValid()
})

test('submits once while a request is pending, and keeps what the user types meanwhile', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const submit = vi.fn<Submit>(async (sent, form) => {
    await held
    form.settle(sent, { ...sent, page: 'https://mine' })
  })
  const { user } = open(submit)
  await user.type(field('Page'), 'mine')
  await user.click(save())
  await user.click(save())
  await user.type(field('Name'), ' Lovelace')
  release()
  await expect.poll(() => field('Page')).toHaveValue('https://mine')
  expect(field('Name')).toHaveValue('Ada Lovelace')
  await screen.findByText('unsaved')
  expect(submit).toHaveBeenCalledTimes(1)
})

test('shows new values in the fields that have no unsaved input', async () => {
  const { user, show } = open(async () => {})
  await user.type(field('Page'), 'mine')
  await screen.findByText('unsaved')
  show({ name: 'Grace', page: 'theirs' })
  await expect.poll(() => field('Name')).toHaveValue('Grace')
  expect(field('Page')).toHaveValue('mine')
  await screen.findByText('unsaved')
})

test('leaves a fault that no field shows to the caller', async () => {
  const submit = vi.fn<Submit>(async () => {})
  const { user } = open(submit, undefined, 'name only')
  await user.click(save())
  await expect.poll(() => submit).toHaveBeenCalledWith(saved, expect.anything())
})

test('discards unsaved input', async () => {
  const { user } = open(async (sent, { settle }) => settle(sent, sent))
  await user.type(field('Page'), 'mine')
  await user.click(save())
  await screen.findByText('saved')
  await user.type(field('Page'), ' too')
  await screen.findByText('unsaved')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await expect.poll(() => field('Page')).toHaveValue('mine')
  await screen.findByText('saved')
})
