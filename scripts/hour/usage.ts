// Memory and open files of relay and service over the time of the test.
import type { Product, Usage } from './product.ts'

/** A process may have so much more memory in the last third of a run than in the second one. */
const grownMax = 1.25
/** Bytes that both may have at most. */
const memoryMax = 350_000_000
/** Files that are open for a short time. */
const filesMore = 20

const names = ['relay', 'service'] as const

/** Takes a sample with each call. */
export function watchUsage(product: Product) {
  const taken: Record<(typeof names)[number], Usage[]> = { relay: [], service: [] }
  return {
    take() {
      const now = product.usage()
      for (const name of names) {
        const usage = now[name]
        if (usage) taken[name].push(usage)
      }
    },
    /** Compares the thirds of the run. */
    check(onWrong: (text: string) => void, note: (text: string) => void) {
      for (const name of names) {
        const all = taken[name]
        const third = Math.floor(all.length / 3)
        const most = (of: keyof Usage, from: number) => Math.max(...all.slice(from, from + third).map((one) => one[of]))
        const [first, second, last] = [0, third, 2 * third].map((from) => most('memory', from))
        const files = [0, third, 2 * third].map((from) => most('files', from))
        const mb = (bytes = 0) => `${Math.round(bytes / 1e6)} MB`
        note(
          `measured: memory of the ${name}, most in each third: ${[first, second, last].map(mb).join(', ')}; files ${files.join(', ')}`,
        )
        if (Math.max(first ?? 0, second ?? 0, last ?? 0) > memoryMax) onWrong(`the ${name} had above ${mb(memoryMax)}`)
        // A short run does not reach its size.
        if (all.length > 1200 && (last ?? 0) > (second ?? 0) * grownMax) onWrong(`the memory of the ${name} grew`)
        if ((files[2] ?? 0) > (files[1] ?? 0) + filesMore) onWrong(`open files of the ${name} grew`)
      }
    },
  }
}
