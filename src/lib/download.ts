// Downloads from the page.

/** Downloads a text as a file. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  saveFrom(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Downloads the file at a URL: it may be larger than the page's memory. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
