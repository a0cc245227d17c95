// The part of autocannon that the bench uses; the package brings no types.
declare module 'autocannon' {
  interface LoadRequest {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: LoadRequest) => LoadRequest
    onResponse?: (status: number, body: string) => void
  }
  interface LoadResult {
    readonly requests: { readonly average: number; readonly total: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    requests: LoadRequest[]
  }): Promise<LoadResult>
}
