import { useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * What a tab looks at, kept in its address; never a secret. A choice shows at once, and the address follows: it changes
 * by a navigation, which takes its time.
 */
export function useSearchChoice<T extends string>(
  name: string,
  known: readonly T[],
  otherwise: T,
): [T, (value: T) => void] {
  const [search, setSearch] = useSearchParams()
  const [picked, setPicked] = useState<T | null>(null)
  const said = search.get(name)
  // The address has followed; from now on it is right, whatever changes it.
  if (picked !== null && picked === said) setPicked(null)
  const found = known.find((value) => value === said) ?? otherwise
  const choose = (value: T) => {
    setPicked(value)
    setSearch(
      (now) => {
        now.set(name, value)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [picked ?? found, choose]
}
