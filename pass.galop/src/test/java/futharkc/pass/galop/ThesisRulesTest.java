package futharkc.pass.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.pass.galop.ThesisRules.Variation;
import futharkc.pass.galop.ThesisRules.Varies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThesisRulesTest {
  /** A nest of kernels (K) and loops (L), the indices of a read, and the orders chosen. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Ki Lj       | i j   | 1 0   | -",
        "Ki Lj       | j i   | -     | 1 0",
        "Ki Kk       | i k   | -     | -",
        "Ki Kk       | k i   | 1 0   | 1 0",
        "Ki Kk Lj    | i j   | 1 0   | -",
        "Ki Kk Lj    | k j   | 1 0   | -",
        "Ki Kk Lj    | j k   | -     | 1 0",
        "Ki Kk Lj    | i k j | 2 0 1 | -",
        "Ki Kk Lj    | i j k | -     | 0 2 1",
        "Ki Kk Lj    | j i k | -     | 1 2 0",
        "Ki Kk Lj    | k i j | -     | -",
        "Ki Kk Lj    | k j i | 1 2 0 | 2 0 1",
        "Ki Lj Ll    | i j l | 1 2 0 | -",
        "Ki Lj Ll    | j i l | 0 2 1 | -",
        "Ki Lj Ll    | l j i | -     | -",
        "Ki Lj Ll    | l j   | 1 0   | 1 0",
        "Ki          | i 0   | -     | -",
        "Ki          | 0 i   | -     | -",
        "Ki Lj       | i 0 j | 1 2 0 | -",
        "Ki Lj       | 0 i j | 0 2 1 | -",
        "Ki Lj       | i i+j | -     | -",
        "Ki Kk Lj    | k+j i+j | 1 0 | -",
        "Ki Kk Kl    | l k i | -     | -",
        "Ki Kk Kl    | k l i | 2 0 1 | 2 0 1",
        "Ki Kk Kl    | l i k | 1 2 0 | 1 2 0",
        "Ki Kk Kl    | i l k | 0 2 1 | 0 2 1",
        "Ki Kk Kl    | k i l | -     | -",
      })
  void ordersOfReads(String nest, String read, String device, String cpu) {
    assertEquals(order(device), ThesisRules.order(dims(nest, read, true), true));
    assertEquals(order(cpu), ThesisRules.order(dims(nest, read, false), false));
  }

  /** Indices that vary in kernels at levels 1 and 2, and in loops at levels 0 and 2. */
  @Test
  void kernelsAreInnermostOnDevices() {
    List<Variation> dims =
        List.of(
            new Variation(Varies.IN_KERNEL, 1),
            new Variation(Varies.IN_KERNEL, 2),
            new Variation(Varies.IN_LOOP, 0),
            new Variation(Varies.IN_LOOP, 2));
    assertEquals(List.of(2, 3, 0, 1), ThesisRules.order(dims, true));
  }

  @ParameterizedTest
  @CsvSource({
    "1 0, true",
    "1 2 0, true",
    "2 0 1, true",
    "2 3 4 0 1, true",
    "1 2 3 4 0, true",
    "3 4 0 1 2, true",
    "0, false",
    "0 1, false",
    "0 0, false",
    "1 1, false",
    "0 1 2, false",
    "1 0 2, false",
    "2 1 0, false",
    "2 2 0, false",
    "2 1 1, false",
    "1 0 1, false",
    "0 0 0, false",
    "0 1 2 3 4, false",
    "1 0 2 3 4, false",
    "2 3 0 1 4, false",
    "3 4 2 0 1, false",
  })
  void transpositions(String order, boolean expected) {
    assertEquals(expected, Permutations.isTransposition(numbers(order)));
  }

  @Test
  void thereIsATranspositionForEachPairOfCuts() {
    for (int rank = 1; rank < 7; rank++) {
      assertEquals(
          rank * (rank - 1) / 2, permutations(rank).filter(Permutations::isTransposition).count());
    }
  }

  private static Stream<List<Integer>> permutations(int rank) {
    if (rank == 0) {
      return Stream.of(List.of());
    }
    return permutations(rank - 1)
        .flatMap(
            p ->
                Stream.iterate(0, k -> k < rank, k -> k + 1)
                    .map(
                        k -> {
                          List<Integer> q = new ArrayList<>(p);
                          q.add(k, rank - 1);
                          return q;
                        }));
  }

  private static List<Variation> dims(String nest, String read, boolean device) {
    List<String> iterations = List.of(nest.strip().split(" +"));
    return Stream.of(read.strip().split(" +"))
        .map(
            index ->
                Stream.of(index.split("\\+"))
                    .map(v -> variation(iterations, v))
                    .max(ThesisRules.importance(device))
                    .orElseThrow())
        .toList();
  }

  private static Variation variation(List<String> nest, String variable) {
    for (int level = 0; level < nest.size(); level++) {
      if (nest.get(level).substring(1).equals(variable)) {
        boolean isLoop = nest.get(level).charAt(0) == 'L';
        return new Variation(isLoop ? Varies.IN_LOOP : Varies.IN_KERNEL, level);
      }
    }
    return Variation.NONE;
  }

  private static @Nullable List<Integer> order(String order) {
    return order.strip().equals("-") ? null : numbers(order);
  }

  private static List<Integer> numbers(String numbers) {
    return Arrays.stream(numbers.strip().split(" +")).map(Integer::valueOf).toList();
  }
}
