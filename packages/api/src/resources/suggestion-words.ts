/** How far a suggestion can be trusted, the most trusted first. */
export const suggestionConfidences = ["high", "medium", "low"] as const;

export type SuggestionConfidence = (typeof suggestionConfidences)[number];
