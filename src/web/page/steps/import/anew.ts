/** Stands in the address while the import of a list is planned anew, although the list has a run. */
export const ANEW = 'new';
