import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { writtenParams } from '#src/lib/page-params.ts'

/**
 * Selection of a tab, stored in the URL; never a secret. A choice applies immediately, and the URL follows with a
 * navigation.
 * @param name query parameter
 * @param known allowed values
 * @param otherwise default for a missing or unknown value
 */
export function useSearchChoice<T extends string>(
  name: string,
  known: readonly T[],
  otherwise: T,
): [T, (value: T) => void] {
  const [search, setSearch] = useSearchParams()
  const [picked, setPicked] = useState<T | null>(null)
  const fromUrl = search.get(name)
  // The URL has caught up; from here on it is the source.
  if (picked !== null && picked === fromUrl) setPicked(null)
  const found = known.find((value) => value === fromUrl) ?? otherwise
  const choose = (value: T) => {
    setPicked(value)
    const params = writtenParams()
    params.set(name, value)
    setSearch(params, { replace: true, preventScrollReset: true })
  }
  return [picked ?? found, choose]
}
