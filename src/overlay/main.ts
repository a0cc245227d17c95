// Entry of the overlay page: reads the address of the service, then starts.
import { startOverlay } from './overlay.ts'
import { serviceAddress } from './service-address.ts'

void serviceAddress().then((service) => {
  const list = document.querySelector<HTMLElement>('#rows')
  const stopped = { run: () => {} }
  const start = () => {
    stopped.run()
    if (list) stopped.run = startOverlay(list, location.hash, service)
  }
  // Other settings in the fragment load no page.
  addEventListener('hashchange', start)
  start()
})
