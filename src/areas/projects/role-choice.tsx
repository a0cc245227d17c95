import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessType, roles } from '#contract/entities/project.ts'
import styles from './projects.module.css'

interface Props {
  readonly value: AccessType
  /** A personal project has one owner, and takes no other. */
  readonly isPersonal: boolean
  readonly onChange: (value: AccessType) => void
}

/** One of the roles, each with what it may do. */
export function RoleChoice({ value, isPersonal, onChange }: Props) {
  const { t } = useTranslation('projects')
  const name = useId()
  return (
    <fieldset className={styles.roles}>
      <legend>{t('roleChoice')}</legend>
      {roles.map((role, index) =>
        role === 'owner' && isPersonal ? null : (
          <label key={role} className={styles.role}>
            <input type="radio" name={name} checked={index === value} onChange={() => onChange(index as AccessType)} />
            <strong>{t(`role.${role}`)}</strong>
            <span className={styles.quiet}>{t(`roleMay.${role}`)}</span>
          </label>
        ),
      )}
    </fieldset>
  )
}
