package io.meshhub.query.language;

/**
 * A node that matches a query.
 *
 * @param score how well it meets the free text of the query, greater is better
 */
public record Scored(QueryNode node, double score) {}
