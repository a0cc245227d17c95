// Types of calls.
import type { Result } from './errors.ts'
import type { Operations } from './types.gen.ts'

/** Id of an operation, such as `broadcasts.broadcasts.status`: the `operationId` of `/openapi.json`. */
export type OperationId = keyof Operations
/** Input of an operation. */
export type Input<K extends OperationId> = Operations[K]['input']
/** Output of an operation. */
export type Output<K extends OperationId> = Operations[K]['output']

/** Settings of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds; default: that of the client. */
  readonly timeoutMs?: number
}

/**
 * Calls an operation. Never throws for failures of the service or the network: `error` has them.
 * @throws TypeError for an id that is no operation
 * @example const status = await client.call('broadcasts.broadcasts.status', { project_id: 7 })
 */
export type Call = <K extends OperationId>(id: K, input: Input<K>, options?: CallOptions) => Promise<Result<Output<K>>>
