// Errors of upgrade and rollback.

/** Why an upgrade or a rollback was refused or failed: a sentence for the operator, without a stack. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError'
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Makes a sentence of a full disk. Other errors are thrown as they are. @param remedy what stays as it was */
export const whenDiskIsFull =
  (folder: string, remedy: string) =>
  (error: unknown): never => {
    if (isFull(error)) throw new UpgradeError(`The disk of ${folder} is full. ${remedy}`, { cause: error })
    throw error
  }

/** Ignores a full disk. Other errors are thrown as they are. */
export const unlessDiskIsFull = (error: unknown): void => {
  if (!isFull(error)) throw error
}
