// Writes that need a sign-in of the last 15 minutes: the page asks for a confirmation, and sends the write again.
import { createStore } from 'zustand/vanilla'
import { toApiError } from './api-error.ts'

/** Open question for a confirmation; the frame shows its dialog. */
export const freshSignIn = createStore<{ readonly settle: ((isConfirmed: boolean) => void) | null }>(() => ({
  settle: null,
}))

/** Sends a write, and once more after a confirmation where the service refuses it with `SignInAgain`. */
export async function withFreshSignIn<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (toApiError(error).name !== 'SignInAgain' || !(await isConfirmed())) throw error
    return send()
  }
}

/** Asks for a confirmation. False at once for a write of the open question itself. */
function isConfirmed(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  if (freshSignIn.getState().settle) resolve(false)
  else {
    const settle = (confirmed: boolean) => {
      freshSignIn.setState({ settle: null })
      resolve(confirmed)
    }
    freshSignIn.setState({ settle })
  }
  return promise
}
