import { useFailureText } from '#src/components/failure.tsx'

/** Reason why the service refused a team change, in the user's language. */
export function Refusal({ error }: { readonly error: unknown }) {
  return useFailureText('projects')(error)
}
