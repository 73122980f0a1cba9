/** Apache Pekko Cluster Sharding as a yardstick: an entity that answers with what it was sent, in processes of its own. */
package io.meshhub.bench.pekko;
