import { useTranslation } from 'react-i18next'
import { type AccessType, roles } from '#contract/entities/project.ts'
import { ChoiceList } from '#src/ui/choice-list.tsx'

interface Props {
  readonly value: AccessType
  /** A personal project has one owner, and takes no other. */
  readonly isPersonal: boolean
  readonly onChange: (value: AccessType) => void
}

/** One of the roles, each with what it may do. */
export function RoleChoice({ value, isPersonal, onChange }: Props) {
  const { t } = useTranslation('projects')
  const choices = roles
    .map((role, index) => ({ value: index as AccessType, title: t(`role.${role}`), text: t(`roleMay.${role}`) }))
    .filter((_, index) => !isPersonal || roles[index] !== 'owner')
  return <ChoiceList label={t('roleChoice')} value={value} choices={choices} onChange={onChange} />
}
