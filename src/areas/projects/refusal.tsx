import { useFailureText } from '#src/components/failure.tsx'

/** Why a change of the team was refused, in the language of the page. */
export function Refusal({ error }: { readonly error: unknown }) {
  return useFailureText('projects')(error)
}
