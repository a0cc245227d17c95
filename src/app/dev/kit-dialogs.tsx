// Exhibits of dialogs: a button opens each.
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Checkbox, Radio } from '#src/ui/checkbox.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions, DialogForm, DialogProblem } from '#src/ui/dialog-form.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import type { ExhibitProps } from './kit-texts.ts'

const kinds = ['plain', 'bare', 'form', 'confirm', 'danger'] as const

export function Dialogs({ texts }: ExhibitProps) {
  const [open, setOpen] = useState<(typeof kinds)[number] | null>(null)
  const close = () => setOpen(null)
  const confirm = { title: texts.question, keep: texts.cancel, onConfirm: close, onClose: close }
  return (
    <>
      <div data-group>
        {kinds.map((kind) => (
          <Button key={kind} look="outline" data-opens={kind} onClick={() => setOpen(kind)}>
            {kind}
          </Button>
        ))}
      </div>
      {open === 'plain' && (
        <Dialog title={texts.row} onClose={close}>
          <p>{texts.whole}</p>
          <DialogProblem>{texts.problem}</DialogProblem>
          <DialogActions>
            <Button onClick={close}>{texts.open}</Button>
          </DialogActions>
        </Dialog>
      )}
      {open === 'bare' && (
        <Dialog title={texts.row} isTitleHidden onClose={close}>
          <p>{texts.whole}</p>
        </Dialog>
      )}
      {open === 'form' && (
        <Dialog title={texts.save} onClose={close}>
          <DialogForm
            problem={texts.problem}
            cancel={texts.cancel}
            submit={texts.save}
            onSubmit={close}
            onClose={close}
          >
            <TextField label={texts.name} error={texts.wrong} value={texts.long} onChange={() => {}} />
            <TextArea label={texts.about} value={texts.whole} onChange={() => {}} />
          </DialogForm>
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog {...confirm} confirm={texts.open} isBusy={false}>
          <p>{texts.answer}</p>
        </ConfirmDialog>
      )}
      {open === 'danger' && (
        <ConfirmDialog
          {...confirm}
          confirm={texts.remove}
          isDanger
          isBusy={false}
          notice={texts.note.neutral}
          problem={texts.problem}
        >
          <p>{texts.answer}</p>
          <fieldset>
            <label>
              <Radio /> {texts.first}
            </label>
          </fieldset>
          <label>
            <Checkbox /> {texts.on}
          </label>
          <TextField label={texts.name} value="" onChange={() => {}} />
        </ConfirmDialog>
      )}
    </>
  )
}
