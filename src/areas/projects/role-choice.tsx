import { useTranslation } from 'react-i18next'
import { type AccessType, accessTypes, roles } from '#contract/entities/roles.ts'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import { useRoleText } from './use-role-text.ts'

interface Props {
  readonly value: AccessType
  /** A personal project has one owner and accepts no second one. */
  readonly isPersonal: boolean
  readonly error?: string | undefined
  readonly onChange: (value: AccessType) => void
}

/** Radio list of the roles with their capabilities. */
export function RoleChoice({ value, isPersonal, error, onChange }: Props) {
  const { t } = useTranslation('projects')
  const may = useRoleText()
  const choices: { value: AccessType; title: string; text: string }[] = roles
    .filter((role) => !isPersonal || role !== 'owner')
    .map((role) => ({ value: accessTypes[role], title: t(`role.${role}`), text: may(role) }))
  return <ChoiceList label={t('roleChoice')} value={value} choices={choices} error={error} onChange={onChange} />
}
