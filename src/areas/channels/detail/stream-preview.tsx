import { useTranslation } from 'react-i18next'
import type { Channel } from '#contract/entities/channel.ts'
import styles from './channel.module.css'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import type { StreamValues } from './stream-fields.ts'

/** Approximate list entry on the platform: image, two lines of title, channel name. */
export function StreamPreview({ channel, values }: { readonly channel: Channel; readonly values: StreamValues }) {
  const { t } = useTranslation('channels')
  const image = typeof values['image'] === 'string' ? values['image'] : ''
  const more = [values['category_name'], values['tags']].filter(Boolean).join(' · ')
  return (
    <figure className={styles.preview}>
      <div className={styles.picture}>
        {/* Never fetches images from other hosts: the page connects to its own service only. */}
        {image.startsWith('data:') ? <img src={image} alt="" /> : <PlatformIcon type={channel.type} size={44} />}
      </div>
      <figcaption className={styles.previewWords}>
        <span className={styles.previewKind}>{t('stream.preview')}</span>
        <strong className={styles.previewTitle}>{values['title'] || t('stream.untitled')}</strong>
        <span className={styles.previewName}>{channel.name}</span>
        {more && <span className={styles.previewName}>{more}</span>}
      </figcaption>
    </figure>
  )
}
