// `@relaydeck/client`: what the package exports.
export type { Call, CallOptions, Input, OperationId, Output } from './call.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  type CallError,
  CallFailed,
  isTransient,
  type Refused,
  type Result,
  type SignedOut,
  type Unexpected,
  type Unreachable,
  unwrap,
} from './errors.ts'
export type { Listener, ProjectLiveEvent, Publications, Realtime, RealtimeOptions, RealtimeState } from './realtime.ts'
export { apiToken, type OAuthOptions, type OAuthTokens, oauthTokens, type TokenSource } from './tokens.ts'
export type * from './types.gen.ts'
