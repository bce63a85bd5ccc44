/** Model fields of the fields that lists are ordered by, if the names differ. */
export const DATE_COLUMNS = { created_date: 'createdAt', modified_date: 'modifiedAt' };
