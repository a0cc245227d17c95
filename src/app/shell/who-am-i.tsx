import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auth } from '#contract/areas/account/auth.ts'
import type { Output } from '#contract/core/operation.ts'
import { q } from '#src/api/query.ts'

export type Me = Output<typeof auth.me>

/** Asks who is signed in. Apart from the menu that shows it: the schemas of signing in are nothing that a first view needs. */
export default function WhoAmI({ onAnswer }: { readonly onAnswer: (me: Me | undefined) => void }) {
  const { data } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  useEffect(() => onAnswer(data), [data, onAnswer])
  return null
}
