// Entry of the dock: the fragment has the project and an API token.
import { startDock } from './dock.ts'
import { serviceAddress } from './service-address.ts'

void serviceAddress().then((service) => {
  const root = document.querySelector<HTMLElement>('#dock')
  const stopped = { run: () => {} }
  const start = () => {
    stopped.run()
    if (root) stopped.run = startDock(root, location.hash, service)
  }
  // Another fragment loads no page.
  addEventListener('hashchange', start)
  start()
})
