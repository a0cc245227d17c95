// Picture and sound that the user chose. They end with the dialog.
import { useEffect, useRef, useState } from 'react'
import {
  type Device,
  endStream,
  failureOf,
  listDevices,
  type MediaFailure,
  openCamera,
  openMicrophone,
  openScreen,
} from './media.ts'

/** Value of the microphone field without a microphone. */
export const noMicrophone = 'none'

/** Chosen media. */
export interface ChosenMedia {
  readonly source: 'camera' | 'screen' | null
  readonly picture: MediaStream | null
  readonly microphone: MediaStream | null
  readonly cameras: readonly Device[]
  readonly microphones: readonly Device[]
  readonly failure: { readonly of: 'camera' | 'screen' | 'microphone'; readonly why: MediaFailure } | null
  readonly isBusy: boolean
}

const nothing: ChosenMedia = {
  source: null,
  picture: null,
  microphone: null,
  cameras: [],
  microphones: [],
  failure: null,
  isBusy: false,
}

export interface MediaChoice extends ChosenMedia {
  readonly chooseCamera: (id?: string) => void
  readonly chooseScreen: () => void
  /** @param id `noMicrophone`, or empty for the one that the browser chooses */
  readonly chooseMicrophone: (id: string) => void
}

export function useMedia(): MediaChoice {
  const [media, setMedia] = useState(nothing)
  const newest = useRef(media)
  const isGone = useRef(false)
  const set = (change: Partial<ChosenMedia>) => {
    newest.current = { ...newest.current, ...change }
    setMedia(newest.current)
  }
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      endStream(newest.current.picture)
      endStream(newest.current.microphone)
    }
  }, [])

  /** Replaces a part of the media; a failure leaves it as it is. */
  async function replace(
    part: 'picture' | 'microphone',
    what: 'camera' | 'screen' | 'microphone',
    open: () => Promise<MediaStream>,
  ): Promise<boolean> {
    if (newest.current.isBusy) return false
    set({ isBusy: true, failure: null })
    try {
      const stream = await open()
      if (isGone.current) {
        endStream(stream)
        return false
      }
      endStream(newest.current[part])
      const [cameras, microphones] = [await listDevices('videoinput'), await listDevices('audioinput')]
      set({ [part]: stream, cameras, microphones, isBusy: false })
      return true
    } catch (error) {
      set({ isBusy: false, failure: { of: what, why: failureOf(error, what === 'screen') } })
      return false
    }
  }

  async function takeMicrophone(id: string) {
    if (id !== noMicrophone) return void (await replace('microphone', 'microphone', () => openMicrophone(id)))
    endStream(newest.current.microphone)
    set({ microphone: null, failure: null })
  }
  async function takePicture(source: 'camera' | 'screen', open: () => Promise<MediaStream>) {
    const isFirst = newest.current.picture === null
    if (!(await replace('picture', source, open))) return
    set({ source })
    // The stream has sound unless the user switches it off.
    if (isFirst) await takeMicrophone('')
  }

  return {
    ...media,
    chooseCamera: (id = '') => void takePicture('camera', () => openCamera(id)),
    chooseScreen: () => void takePicture('screen', openScreen),
    chooseMicrophone: (id) => void takeMicrophone(id),
  }
}
