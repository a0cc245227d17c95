// Camera, microphone and screen of this device.

/** Cause of a failed request for a device. */
export type MediaFailure = 'blocked' | 'missing' | 'busy' | 'cancelled' | 'other'

/** A device, by its id. */
export interface Device {
  readonly id: string
  readonly label: string
}

const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
const sound = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

/** Whether this page may use devices: it needs HTTPS, or this machine. */
export const isSecure = (): boolean => globalThis.isSecureContext && navigator.mediaDevices !== undefined

/** Whether this browser shares screens; phones do not. */
export const canShare = (): boolean => isSecure() && 'getDisplayMedia' in navigator.mediaDevices

/** Requests a camera. @param id empty: the one that the browser chooses */
export const openCamera = (id: string): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ video: id === '' ? picture : { ...picture, deviceId: { exact: id } } })

/** Requests a microphone. @param id empty: the one that the browser chooses */
export const openMicrophone = (id: string): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: id === '' ? sound : { ...sound, deviceId: { exact: id } } })

/** Requests a screen, a window or a tab, with its sound where the browser offers it. Needs a press of a button. */
export const openScreen = (): Promise<MediaStream> =>
  navigator.mediaDevices.getDisplayMedia({
    video: { ...picture, width: { max: 1920 }, height: { max: 1080 } },
    audio: true,
  })

/** Lists the devices of a kind that have names: browsers name them after the permission. */
export async function listDevices(kind: 'videoinput' | 'audioinput'): Promise<readonly Device[]> {
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  return all.flatMap((one) => (one.kind === kind && one.label !== '' ? { id: one.deviceId, label: one.label } : []))
}

export const endStream = (stream: MediaStream | null): void => stream?.getTracks().forEach((track) => track.stop())

const failures: Readonly<Record<string, MediaFailure>> = {
  NotAllowedError: 'blocked',
  SecurityError: 'blocked',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

/** Returns the cause of a failed request. @param isScreen a closed choice of screens is no fault */
export function failureOf(error: unknown, isScreen: boolean): MediaFailure {
  const found = failures[error instanceof DOMException ? error.name : ''] ?? 'other'
  return found === 'blocked' && isScreen ? 'cancelled' : found
}
