/** Where key reseal finds the new secret. */
export const newSecretVariable = "HOLDFAST_NEW_SECRET_KEY";
