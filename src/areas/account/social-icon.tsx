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
  /** Photo of the user at the provider. */
  readonly photo: string | null
}

/** The user's photo at the provider, else the provider's icon. */
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
