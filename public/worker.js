// Service worker of notifications: shows the messages of web push, and opens their page. It caches nothing.
self.addEventListener('push', (event) => {
  const message = read(event.data)
  event.waitUntil(
    self.registration.showNotification(message.title, {
      body: message.text,
      tag: message.tag,
      icon: '/icon-192.png',
      data: { url: message.url },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data.url))
})

/** Reads a message of `server/delivery/push.ts`. Only paths of the dashboard are opened. */
function read(data) {
  let message = null
  try {
    message = data.json()
  } catch {
    // A message without content still has to show a notification.
  }
  const text = (value) => (typeof value === 'string' ? value : '')
  return {
    title: text(message?.title) || 'Relaydeck',
    text: text(message?.text),
    tag: text(message?.tag) || undefined,
    url: addressOf(text(message?.url)),
  }
}

/** Returns the address of a path; the start page for another origin, as which browsers also read `/\host`. */
function addressOf(path) {
  const { origin } = self.location
  const url = path.startsWith('/') && URL.canParse(path, origin) ? new URL(path, origin) : null
  return url?.origin === origin ? url.href : `${origin}/`
}

/** Windows that show the chat beside the dashboard: its pop-out, and docks of OBS. */
const isPanel = (url) => /^\/p\/[^/]+\/chat\/popout$|^\/dock\//.test(new URL(url).pathname)

/** Opens a page in an open tab of the dashboard, else in a new one. Panels keep their page. */
async function show(url) {
  const windows = await self.clients.matchAll({ type: 'window' })
  const tab = windows.find((one) => !isPanel(one.url))
  if (!tab) return self.clients.openWindow(url)
  await tab.focus()
  return tab.navigate(url)
}
