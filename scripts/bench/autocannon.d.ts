// Types for the used part of autocannon; the package has none.
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
