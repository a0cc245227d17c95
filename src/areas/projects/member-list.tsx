import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roles } from '#contract/entities/project.ts'
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
  /** For those who may change roles. */
  readonly onChange?: (member: Member) => void
}

/** From so many on there is a search. */
const searchFrom = 9

/** The members, with what each of them may do. */
export function MemberList({ members, myId, onChange }: Props) {
  const { t } = useTranslation('projects')
  const [wanted, setWanted] = useState('')
  const words = wanted.trim().toLowerCase()
  const shown = words === '' ? members : members.filter((member) => nameOf(member).toLowerCase().includes(words))
  return (
    <>
      {members.length >= searchFrom && <SearchField label={t('members.search')} value={wanted} onChange={setWanted} />}
      {shown.length === 0 ? (
        <p role="status" className={styles.quiet}>
          {t('members.none')}
        </p>
      ) : (
        <div className={styles.people}>
          <RowList>
            {shown.map((member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                isMe={member.user_id === myId}
                {...(onChange && { onChange })}
              />
            ))}
          </RowList>
        </div>
      )}
    </>
  )
}

type RowProps = Pick<Props, 'onChange'> & { readonly member: Member; readonly isMe: boolean }

function MemberRow({ member, isMe, onChange }: RowProps) {
  const { t } = useTranslation('projects')
  const name = nameOf(member) || t('members.unnamed')
  const role = roles[member.access_type]
  return (
    <Row
      lead={<PersonPhoto name={name} photo={member.photo_50} />}
      title={
        <>
          {name} {isMe && <Badge tone="accent">{t('members.you')}</Badge>}
        </>
      }
      about={`${t(`role.${role}`)} ${t(`roleMay.${role}`)}`}
      actions={
        onChange && (
          <Button look="outline" aria-label={t('members.changeOf', { name })} onClick={() => onChange(member)}>
            {t('members.change')}
          </Button>
        )
      }
    />
  )
}
