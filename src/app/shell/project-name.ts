// Name of a project for users.

/** Joins both names of a project. */
export const nameOf = ({ name, fename }: { name: string; fename: string }) => [name, fename].filter(Boolean).join(' ')
