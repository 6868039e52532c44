/** Confidence levels of a suggestion, the highest first. */
export const suggestionConfidences = ["high", "medium", "low"] as const;

export type SuggestionConfidence = (typeof suggestionConfidences)[number];
