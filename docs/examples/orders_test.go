// Run with: npx atom-mq run --queue orders --clock manual -- go test ./...
package orders

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Asks the broker, and fails the test with its own words where it refuses.
func control(t *testing.T, method, path, body string) {
	t.Helper()
	request, _ := http.NewRequest(method, os.Getenv("ATOM_MQ_URL")+"/_control"+path, strings.NewReader(body))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode >= 400 {
		var problem struct{ Detail string }
		_ = json.Unmarshal(text, &problem)
		t.Fatal(problem.Detail)
	}
}

// The application: it sends an order once, whatever gets lost on the way.
func sendOrder(guid, order string) error {
	var lost error
	for range 5 {
		answer, err := http.Post(os.Getenv("ATOM_MQ_URL")+"/queues/orders?guid="+guid, "text/plain", strings.NewReader(order))
		if err == nil {
			answer.Body.Close()
			return nil
		}
		lost = err
	}
	return lost
}

func TestAnOrderArrivesOnceAlthoughItsAnswerWasLost(t *testing.T) {
	defer control(t, "POST", "/reset", `{"seed": true}`)
	control(t, "POST", "/faults", `{"fault": "reset-after-commit", "query": {"guid": "order-1"}, "times": 1}`)
	if err := sendOrder("order-1", "two teapots"); err != nil {
		t.Fatal(err)
	}
	control(t, "POST", "/messages/expect", `{"pattern": {"guid": "order-1"}, "count": 1}`)
	control(t, "POST", "/verify", `{"messages": false}`)
}
