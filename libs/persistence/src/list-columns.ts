/** Model fields by the names under which lists are ordered, where the two differ. */
export const DATE_COLUMNS = { created_date: 'createdAt', modified_date: 'modifiedAt' };
