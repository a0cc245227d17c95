import { IconBrandGoogleFilled, IconBrandTelegram, IconBrandVk, IconUserCircle } from '@tabler/icons-react'
import styles from './account.module.css'

const icons = {
  google: IconBrandGoogleFilled,
  vk: IconBrandVk,
  'vk-id': IconBrandVk,
  telegram: IconBrandTelegram,
  local: IconUserCircle,
}

interface Props {
  readonly provider: keyof typeof icons
  /** Of the person, at the provider. */
  readonly photo: string | null
}

/** Whose account it is: the person's picture there, else the sign of the provider. */
export function SocialIcon({ provider, photo }: Props) {
  const Icon = icons[provider]
  return photo ? (
    <img src={photo} alt="" width={38} height={38} className={styles.sign} referrerPolicy="no-referrer" />
  ) : (
    <span className={styles.sign} aria-hidden>
      <Icon size={22} stroke={1.6} />
    </span>
  )
}
