// Service worker of the dashboard: keeps its document and its built files, so that it opens without network, and shows the
// messages of web push. Answers of the API are not kept.

/** Cache of the document, under `/`, and of the files that belong to it. */
const kept = 'dashboard'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(fetch('/').then(keepDocument).catch(ignore))
})

self.addEventListener('activate', (event) => {
  // Without navigation preload: in Firefox, a preload that fails without network ends the navigation, whatever the worker
  // responds. Earlier versions of this worker enabled it.
  const preload = self.registration.navigationPreload?.disable()
  event.waitUntil(Promise.all([preload, self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(openDocument(event))
  else if (isFile(pathname)) event.respondWith(openFile(event))
})

/** Files that a page loaded before the worker was active. */
self.addEventListener('message', (event) => {
  const paths = Array.isArray(event.data?.keep) ? event.data.keep : []
  event.waitUntil(Promise.all(paths.filter(isFile).map(keepMissing)).catch(ignore))
})

/** Files with a hash of their content in the name. */
const isFile = (path) => typeof path === 'string' && path.startsWith('/assets/')

const isHtml = ({ headers }) => (headers.get('content-type') ?? '').startsWith('text/html')

/** Requests a document; without network, returns the document of the dashboard, which shows every page of it. */
async function openDocument(event) {
  try {
    const response = await fetch(event.request)
    // Not of downloads: a clone that is not read is held in memory.
    if (isHtml(response)) event.waitUntil(keepDocument(response.clone()).catch(ignore))
    return response
  } catch (error) {
    const document = await caches.match('/', { cacheName: kept })
    if (document) return document
    throw error
  }
}

async function openFile(event) {
  const { request } = event
  const file = await caches.match(request, { cacheName: kept, ignoreVary: true })
  if (file) return file
  const response = await fetch(request)
  if (response.ok) event.waitUntil(put(request, response.clone()).catch(ignore))
  return response
}

async function keepMissing(path) {
  if (await caches.match(path, { cacheName: kept, ignoreVary: true })) return
  const response = await fetch(path)
  if (response.ok) await put(path, response)
}

const put = async (request, response) => (await caches.open(kept)).put(request, response)

/** Keeps the document of the dashboard. A new version begins with no files of the old one. */
async function keepDocument(response) {
  const text = response.ok && isHtml(response) ? await response.text() : ''
  // Documents of the service beside the dashboard do not load its program.
  if (!text.includes('src="/assets/index-')) return
  const old = await caches.match('/', { cacheName: kept })
  if (old && (await old.text()) === text) return
  await caches.delete(kept)
  const headers = new Headers(response.headers)
  // Of the compressed body.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  await put('/', new Response(text, { headers }))
}

/** A full disk, or no network: the next visit tries again. */
function ignore() {}
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
