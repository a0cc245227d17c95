// Latency of the handbook's search: the first one loads the texts and builds the index.
import { articles } from '#contract/areas/help/articles.ts'

/** Queries as people type them: words, beginnings, errors, several words. */
const queries = ['timeout', 'stream key', 'bitr', 'recrding', 'youtube key', 'connection drops', 'obs', 'plan ends']

const rounds = 25

/** Milliseconds of the first search of a service, and the 95th percentile of the next ones. */
export async function measureSearch(url: string): Promise<{ readonly cold: number; readonly warm: number }> {
  async function search(words: string): Promise<number> {
    const since = performance.now()
    const answer = await fetch(`${url}${articles.search.path}?${new URLSearchParams({ s: words })}`)
    if (!answer.ok || ((await answer.json()) as { total: number }).total === 0)
      throw new Error(`The search for '${words}' found nothing`)
    return performance.now() - since
  }

  const cold = await search('stream')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) for (const words of queries) times.push(await search(words))
  return { cold, warm: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN }
}
