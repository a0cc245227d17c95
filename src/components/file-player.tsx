import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useFailureText } from './failure.tsx'
import styles from './file-player.module.css'

/** A ticket is good for an hour; a failure after this time fetches a new one, milliseconds. */
const renewMs = 1_800_000

interface Props {
  /** Returns the address of the file, with a new ticket. */
  readonly find: () => Promise<{ readonly url: string }>
  readonly label: string
  /** Text where the browser cannot play the file. */
  readonly cannot: string
  /** Text where the address could not be fetched. */
  readonly failed: (why: string) => string
}

/** Plays a stored file in the page, from any part on. Pages load it on demand. */
export function FilePlayer({ find, label, cannot, failed }: Props) {
  const wordsOf = useFailureText()
  const video = useRef<HTMLVideoElement>(null)
  const [isUnplayable, setUnplayable] = useState(false)
  const issuedAt = useRef(0)
  const place = useRef(0)
  const opening = useMutation({
    mutationFn: find,
    onSuccess: () => {
      issuedAt.current = Date.now()
    },
  })
  const { mutate } = opening
  useEffect(() => mutate(), [mutate])
  const handleError = () => {
    if (Date.now() - issuedAt.current < renewMs) return setUnplayable(true)
    place.current = video.current?.currentTime ?? 0
    mutate()
  }
  if (isUnplayable) return <p className={styles.quiet}>{cannot}</p>
  if (opening.error)
    return (
      <p className={styles.quiet} role="alert">
        {failed(wordsOf(opening.error))}
      </p>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- stored videos have no captions
    <video
      ref={video}
      className={styles.player}
      aria-label={label}
      src={opening.data?.url}
      controls
      autoPlay
      playsInline
      onLoadedMetadata={(event) => {
        event.currentTarget.currentTime = place.current
        event.currentTarget.scrollIntoView({ block: 'nearest' })
      }}
      onError={handleError}
    />
  )
}
