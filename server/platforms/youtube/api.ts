// What the calls of YouTube's API share: its address, lists, and pages of videos.
import * as z from 'zod/mini'

export const base = 'https://www.googleapis.com/youtube/v3'

/** Returns the schema of a list of items; without `items` it is empty. */
export const itemsOf = <T extends z.ZodMiniType>(item: T) => z.object({ items: z._default(z.array(item), []) })

const watch = 'https://www.youtube.com/watch?v='

/** Returns the page of a video. */
export const pageOf = (id: string): string => `${watch}${id}`

/** Returns the id of the video of a page; null for other pages. */
export const idInPage = (page: string | null): string | null =>
  page?.startsWith(watch) ? page.slice(watch.length) : null
