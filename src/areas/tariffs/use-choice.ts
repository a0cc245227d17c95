import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Choice, readChoice, writeChoice } from './choice.ts'

/** How long a slider must rest before its value counts, milliseconds. */
const restMs = 250

type Change = Partial<Choice>

/**
 * The choice in the URL, and the one that is still moving. `choose` counts at once; `adjust` is for sliders: it shows
 * at once, and counts when it has come to rest.
 */
export function useChoice() {
  const [params, setParams] = useSearchParams()
  const settled = useMemo(() => readChoice(params), [params])
  const [draft, setDraft] = useState<Change>({})
  const choice = { ...settled, ...draft }
  const isMoving = writeChoice(params, choice).toString() !== writeChoice(params, settled).toString()

  const commit = (change: Change) =>
    setParams((now) => writeChoice(now, { ...readChoice(now), ...change }), { replace: true, preventScrollReset: true })

  // Kept until the URL says the same, so that a slider never jumps back in between.
  if (!isMoving && Object.keys(draft).length > 0) setDraft({})
  const settle = useEffectEvent(() => commit(draft))
  useEffect(() => {
    if (Object.keys(draft).length === 0) return undefined
    const timer = setTimeout(() => settle(), restMs)
    return () => clearTimeout(timer)
  }, [draft])

  return {
    choice,
    settled,
    isMoving,
    // What still moves counts as well: nobody takes it back by choosing something else.
    choose: (change: Change) => {
      setDraft({})
      commit({ ...draft, ...change })
    },
    adjust: (change: Change) => setDraft((now) => ({ ...now, ...change })),
  }
}
