/** The organizational unit that all others are below. */
export const rootUnitId = "00000000-0000-0000-0000-000000000000";
