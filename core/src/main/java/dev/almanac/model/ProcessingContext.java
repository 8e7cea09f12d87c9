package dev.almanac.model;

/**
 * The business context of a job; all three parts are required if it is present.
 *
 * @param processingEntity the entity on whose behalf the job runs
 * @param clientRequestId the request that asked for it
 * @param unitOfWorkId the unit of work that it belongs to
 */
public record ProcessingContext(String processingEntity, String clientRequestId, String unitOfWorkId) {}
