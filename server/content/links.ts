// Links and images of a text: allowed schemes, paths of the dashboard, other texts of the same folder.
import { posix } from 'node:path'
import type { StoredImage } from './images.ts'
import { imageRoute } from './images.ts'
import type { Resolver } from './inlines.ts'

const allowed = new Set(['http:', 'https:', 'mailto:'])

/**
 * Creates the resolver of a text.
 * @param file path of the text: `help/en/start/obs.md`
 * @param addressOf address of another text by its path; null for an unknown one
 */
export function createResolver(
  file: string,
  addressOf: (path: string) => string | null,
  images: ReadonlyMap<string, StoredImage>,
): Resolver {
  /** Path of a relative address below the content folder; null outside it. */
  function pathOf(address: string): string | null {
    const path = posix.normalize(posix.join(posix.dirname(file), address))
    return path === '..' || path.startsWith('../') || path.includes('\0') ? null : path
  }

  return {
    link(href) {
      const [address = '', anchor = ''] = href.split('#', 2)
      if (href.startsWith('#')) return { to: `#${encodeURI(decoded(anchor))}` }
      const hash = anchor === '' ? '' : `#${encodeURI(decoded(anchor))}`
      if (href.startsWith('/')) {
        const url = URL.parse(href, 'http://dashboard')
        return url?.origin === 'http://dashboard' && !href.startsWith('//')
          ? { to: url.pathname + url.search + url.hash }
          : 'The link leads to an unnamed scheme'
      }
      const url = URL.parse(href)
      if (url) return allowed.has(url.protocol) ? { to: url.href } : 'Links may be http, https, mailto or relative'
      const path = pathOf(decoded(address))
      if (path === null) return 'The link leads out of the folder'
      const to = addressOf(path)
      return to === null ? 'The link names no text' : { to: to + hash }
    },
    image(src) {
      if (src.startsWith('/') || URL.parse(src)) return 'Images are relative paths to PNG or WebP files'
      if (!/\.(?:png|webp)$/i.test(src)) return 'Images are PNG or WebP'
      const path = pathOf(decoded(src))
      if (path === null) return 'The image is outside the folder'
      const image = images.get(path)
      if (!image) return 'The image is missing or no PNG or WebP'
      return { src: imageRoute + image.name, width: image.width, height: image.height }
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
