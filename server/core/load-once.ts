// Loads something with its first use.

/**
 * Returns a function that loads once, and again after a failure. The arguments of later calls are not used.
 * @example const modules = loadOnce(() => import('large')); const { run } = await modules()
 */
export function loadOnce<A extends readonly unknown[], T>(
  load: (...about: A) => Promise<T>,
): (...about: A) => Promise<T> {
  let loaded: Promise<T> | null = null
  return (...about) =>
    (loaded ??= load(...about).catch((error: unknown) => {
      loaded = null
      throw error
    }))
}
