import { useSearchParams } from 'react-router'

/** What a tab looks at, kept in its address. Never a secret. */
export function useSearchChoice<T extends string>(
  name: string,
  known: readonly T[],
  otherwise: T,
): [T, (value: T) => void] {
  const [search, setSearch] = useSearchParams()
  const found = known.find((value) => value === search.get(name)) ?? otherwise
  const choose = (value: T) =>
    setSearch(
      (now) => {
        now.set(name, value)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return [found, choose]
}
