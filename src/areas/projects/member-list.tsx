import type { TFunction } from 'i18next'
import { memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessType, roleOf } from '#contract/entities/roles.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SearchField } from '#src/ui/toolbar.tsx'
import { nameOf, PersonPhoto } from './person.tsx'
import styles from './projects.module.css'
import type { Member } from './use-team.ts'

interface Props {
  readonly members: readonly Member[]
  readonly myId: number | null
  /** Present only for users with the right to change roles. */
  readonly onChange: ((member: Member) => void) | undefined
}

/** Number of members from which the search is shown. */
const searchFrom = 9

/** Member list with the role and capabilities of each member. */
export function MemberList({ members, myId, onChange }: Props) {
  const { t } = useTranslation('projects')
  const [wanted, setWanted] = useState('')
  const words = useMemo(() => wordsOf(t), [t])
  const part = wanted.trim().toLowerCase()
  const shown = part === '' ? members : members.filter((member) => nameOf(member).toLowerCase().includes(part))
  return (
    <>
      {members.length >= searchFrom && <SearchField label={t('members.search')} value={wanted} onChange={setWanted} />}
      {shown.length === 0 ? (
        <p role="status" className={styles.quiet}>
          {t('members.none')}
        </p>
      ) : (
        <RowList>
          {shown.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              words={words}
              isMe={member.user_id === myId}
              onChange={onChange}
            />
          ))}
        </RowList>
      )}
    </>
  )
}

interface RowProps {
  readonly member: Member
  readonly isMe: boolean
  readonly words: ReturnType<typeof wordsOf>
  readonly onChange: Props['onChange']
}

/** Texts of the rows, translated once for lists of hundreds of members. */
const wordsOf = (t: TFunction<'projects'>) => ({
  role: (accessType: AccessType) => `${t(`role.${roleOf(accessType)}`)} ${t(`roleMay.${roleOf(accessType)}`)}`,
  unnamed: t('members.unnamed'),
  you: t('members.you'),
  change: t('members.change'),
  changeOf: (name: string) => t('members.changeOf', { name }),
})

const MemberRow = memo(function MemberRow({ member, isMe, words, onChange }: RowProps) {
  const name = nameOf(member) || words.unnamed
  return (
    <Row
      lead={<PersonPhoto name={name} photo={member.photo_50} />}
      title={
        <>
          {name} {isMe && <Badge tone="accent">{words.you}</Badge>}
        </>
      }
      about={words.role(member.access_type)}
      actions={
        onChange && (
          <Button look="outline" aria-label={words.changeOf(name)} onClick={() => onChange(member)}>
            {words.change}
          </Button>
        )
      }
    />
  )
})
