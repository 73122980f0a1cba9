/** A Vert.x program without any class of the mesh, for the test of {@code mesh.route}. */
package plainpeer;
