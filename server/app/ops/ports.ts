// Ports of the service in its settings.

type Values = Readonly<Record<string, string | undefined>>

/** Ports that the service listens on. */
export interface ServicePorts {
  /** Public port: HTTPS with TLS_CERT, else plain HTTP. */
  readonly port: number
  /** Port of plain HTTP, which the relay of this machine uses. 0: a free one, which nothing outside of the service knows. */
  readonly plain: number
}

/** Reads the ports. @param values variables by name */
export function portsOf({ PORT = '8080', TLS_CERT = '', HTTP_PORT = '80' }: Values): ServicePorts {
  return { port: Number(PORT), plain: Number(TLS_CERT === '' ? PORT : HTTP_PORT) }
}
