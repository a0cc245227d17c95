export declare const isRoot: boolean
/** True on a Debian, for root. */
export declare const canInstall: boolean
/** Installs a Debian package and prints that it does. @returns false on another system, or after a failed installation */
export declare function aptInstall(name: string, what: string): Promise<boolean>
