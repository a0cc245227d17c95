// Calls of the API by scenarios.
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { call } from '#server/testing/request.ts'

/** Calls an operation. @throws for any response other than a success */
export type Api = <O extends Operation>(op: O, input: Input<O>) => Promise<Output<O>>

/** Returns the calls of a user at a service. @param url origin of the service @param token access token */
export const callerOf =
  (url: string, token: string): Api =>
  (op, input) =>
    call(url, op, input, token)
