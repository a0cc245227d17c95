// JSON Web Tokens, signed with one key (HS256).
import { createSigner, createVerifier } from 'fast-jwt'

/** Claims of a token. Times are whole seconds since 1970. */
export interface SignedClaims {
  readonly sub: string
  readonly iat: number
  readonly exp: number
}

export interface Jwt {
  /** The same claims in the same order give the same token. */
  sign(claims: SignedClaims): string
  /** @returns the claims, also of an expired token; null when the signature is not of this key */
  verify(token: string): Readonly<Record<string, unknown>> | null
}

/** Creates the signer and verifier of a key. Callers compare `exp` with the clock of the service. */
export function jwtOf(key: Buffer): Jwt {
  const sign = createSigner({ key, algorithm: 'HS256' })
  const verify = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true })
  return {
    sign: (claims) => sign({ ...claims }),
    verify(token) {
      try {
        return verify(token) as Record<string, unknown>
      } catch {
        return null
      }
    },
  }
}
