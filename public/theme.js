// Sets the colours before the first paint. A file of its own: the page's policy allows no inline script.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('relaydeck.theme')
  } catch (_) {}
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
