// Entry of the widget pages: the path names the kind, the fragment has the id and the token.
import { widgetKinds } from '#contract/entities/widget-kinds.ts'
import { serviceAddress } from './service-address.ts'
import { startPreview, startWidget } from './widget.ts'

void serviceAddress().then((service) => {
  const root = document.querySelector<HTMLElement>('#widget')
  const kind = widgetKinds.find((one) => location.pathname.endsWith(`/${one}`))
  const stopped = { run: () => {} }
  const start = () => {
    stopped.run()
    if (!root || !kind) return
    document.body.dataset['kind'] = kind
    stopped.run =
      location.hash === '#preview' ? startPreview(root, kind) : startWidget(root, kind, location.hash, service)
  }
  // Another fragment loads no page.
  addEventListener('hashchange', start)
  start()
})
