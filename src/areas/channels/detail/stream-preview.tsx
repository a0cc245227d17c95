import { useTranslation } from 'react-i18next'
import type { Channel } from '#contract/entities/channel.ts'
import styles from './channel.module.css'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import type { StreamValues } from './stream-fields.ts'

/** About how viewers will see it in a list of the platform: the picture, two lines of title, the name. */
export function StreamPreview({ channel, values }: { readonly channel: Channel; readonly values: StreamValues }) {
  const { t } = useTranslation('channels')
  const image = typeof values['image'] === 'string' ? values['image'] : ''
  const more = [values['category_name'], values['tags']].filter(Boolean).join(' · ')
  return (
    <figure className={styles.preview}>
      <div className={styles.picture}>
        {/* Pictures elsewhere are not fetched: the page talks to its own service alone. */}
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
